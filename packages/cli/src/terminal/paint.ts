const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Colours a text, or leaves it as it is where no colour is wanted. */
export type Paint = { readonly [K in keyof typeof codes]: (text: string) => string };

/** The colours of an output. */
export function paintOf(output: { readonly supportsColor: boolean }): Paint {
  const paint = (code: number) => (text: string) =>
    output.supportsColor && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text;
  return {
    bold: paint(codes.bold),
    dim: paint(codes.dim),
    red: paint(codes.red),
    green: paint(codes.green),
    yellow: paint(codes.yellow),
    cyan: paint(codes.cyan),
  };
}
