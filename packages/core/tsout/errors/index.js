/** The root of every error that Rolecall throws. `code` is stable; the message says what, where and how to mend. */
export class RolecallError extends Error {
    /** A named mark, so that errors of another copy of the package are recognised. */
    isRolecallError = true;
    code;
    constructor(code, message, options) {
        super(message, options);
        this.code = code;
        this.name = new.target.name;
    }
}
/** The input is not what its protocol demands. `path` leads to the place; for text that is not JSON, `line` and `column` count from 1. */
export class DecodeError extends RolecallError {
    path;
    line;
    column;
    constructor(path, message, position, options) {
        super("decode", message, options);
        this.path = path;
        if (position !== undefined) {
            this.line = position.line;
            this.column = position.column;
        }
    }
}
/** The value cannot be written in the target protocol. */
export class EncodeError extends RolecallError {
    path;
    constructor(path, message) {
        super("encode", message);
        this.path = path;
    }
}
/** The target cannot do this at all. `fallbacks` names what the caller may ask for instead, through `target.fallbacks[feature]`. */
export class UnsupportedError extends RolecallError {
    feature;
    path;
    fallbacks;
    constructor(feature, path, message, fallbacks = []) {
        super("unsupported", message);
        this.feature = feature;
        this.path = path;
        this.fallbacks = fallbacks;
    }
}
/** The policy refused losses of this conversion. */
export class LossError extends RolecallError {
    losses;
    constructor(losses) {
        const first = losses[0];
        const more = losses.length > 1 ? ` and ${losses.length - 1} more` : "";
        super("loss", `refused by the loss policy: ${first?.code ?? "loss"} at ${first?.path || first?.targetPath || "/"}${more}`);
        this.losses = losses;
    }
}
/** A service refused or failed. */
export class ProviderError extends RolecallError {
    details;
    constructor(message, details) {
        super("provider", message);
        this.details = details;
    }
    get kind() {
        return this.details.kind;
    }
    get status() {
        return this.details.status;
    }
    get retryable() {
        return this.details.retryable;
    }
}
/** A configuration value or file is wrong. */
export class ConfigError extends RolecallError {
    file;
    path;
    constructor(path, message, file) {
        super("config", message);
        this.path = path;
        if (file !== undefined)
            this.file = file;
    }
}
/** A stream broke in a way that no error frame can tell: it is not readable at all, or it was abandoned. */
export class StreamError extends RolecallError {
    /** What had been decoded before, as far as it was kept. */
    events;
    constructor(message, events = [], options) {
        super("stream", message, options);
        this.events = events;
    }
}
//# sourceMappingURL=index.js.map