/** The name under which the scripted model is listed. */
export const scriptedModel = "scripted";
