import { decodeError, encodeError } from "./errors.js";
import { fieldPointer } from "./fields.js";
import { profiles } from "./profile.js";
import { redundancy } from "./redundancy.js";
import { decodeRequest, encodeRequest } from "./request.js";
import { decodeResponse, encodeResponse } from "./response.js";
import { createStreamDecoder, createStreamEncoder, decodeStream, encodeStream } from "./stream/index.js";
export { createStreamDecoder, createStreamEncoder, decodeError, decodeRequest, decodeResponse, decodeStream, encodeError, encodeRequest, encodeResponse, encodeStream, profiles, redundancy, };
export const openaiChat = {
    id: "openai-chat",
    redundancy,
    profiles,
    fieldPointer,
    decodeRequest,
    encodeRequest,
    decodeResponse,
    encodeResponse,
    createStreamDecoder,
    createStreamEncoder,
    decodeStream,
    encodeStream,
    decodeError,
    encodeError,
};
export { openaiChat as protocol };
//# sourceMappingURL=index.js.map