import { formOf } from "../../../codec/restore.js";
import { lose } from "../../../loss/index.js";
const protocol = "openai-chat";
/** Reports what becomes of a setting. `field` is relative to the settings. */
export const report = (writer, code, field, values) => lose(writer.report, code, writer.settings, field, values === undefined ? {} : { values });
/** The spelling of a setting in its own body. */
export const form = (writer, key) => formOf(writer.conversation.wire, protocol, key);
//# sourceMappingURL=writer.js.map