/** A body as it came, in pieces: it is put together only for a reader who needs it whole. */
export class Body {
  readonly length: number;
  #pieces: readonly Buffer[];

  constructor(pieces: readonly Buffer[]) {
    this.#pieces = pieces;
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  get pieces(): readonly Buffer[] {
    return this.#pieces;
  }

  /** How it begins. */
  get head(): Buffer {
    return this.#pieces[0] ?? nothing;
  }

  /** Its last bytes, at most so many. */
  tail(length: number): Buffer {
    let tail = this.#pieces.at(-1) ?? nothing;
    for (let at = this.#pieces.length - 2; at >= 0 && tail.length < length; at--)
      tail = Buffer.concat([(this.#pieces[at] as Buffer).subarray(tail.length - length), tail]);
    return tail.subarray(-length);
  }

  whole(): Buffer {
    if (this.#pieces.length !== 1) this.#pieces = [Buffer.concat(this.#pieces, this.length)];
    return this.head;
  }
}

const nothing = Buffer.alloc(0);

/** What a body is that was read. */
export const noBody: Body = new Body([]);
