import { isJsonObject } from "@rolecall/core";

/** Whether an error field says that something failed: some services send an empty one with all that they say. */
export const isStated = (error: unknown): boolean => error !== undefined && error !== null && error !== false;

/** The event that ends a stream of Responses that failed. */
export const failedType = "response.failed";

/** Whether an event of a stream tells of a failure. */
export function isErrorEvent(name: string | undefined, value: unknown): boolean {
  if (name === "error") return true;
  if (!isJsonObject(value)) return false;
  const { choices, error, object, type } = value;
  const inChoice =
    Array.isArray(choices) && choices.some((choice) => isJsonObject(choice) && isStated(choice["error"]));
  return type === "error" || type === failedType || object === "error" || isStated(error) || inChoice;
}
