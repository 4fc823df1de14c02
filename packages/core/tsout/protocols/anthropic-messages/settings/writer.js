import { lose } from "../../../loss/index.js";
/** Reports what becomes of a setting. `field` is relative to the settings. */
export const report = (writer, code, field, values) => lose(writer.report, code, writer.settings, field, values === undefined ? {} : { values });
//# sourceMappingURL=writer.js.map