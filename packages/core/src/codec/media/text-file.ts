/** The text that base64 data holds, where it is UTF-8 that says something; undefined where the data cannot be told from the text again. */
export function readText(data: string): string | undefined {
  try {
    const binary = atob(data);
    if (btoa(binary) !== data) return undefined;
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.trim() === "" ? undefined : text;
  } catch {
    return undefined;
  }
}
