/** Where the members of a record that somebody shows lie in its line, still undecoded. */

/** Where a record's source line is. */
export interface Place {
  readonly ord: number;
  readonly off: number;
  readonly bytes: number;
}

/** Bytes of a line: of a string what is between its quotes, of another value all. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Its place, and where the members lie that somebody shows. */
export class RecordMarks implements Place {
  readonly ord: number;
  readonly off: number;
  readonly bytes: number;
  child: Stretch | undefined;
  label: Stretch | undefined;
  time: Stretch | undefined;
  flags: Stretch | undefined;
  usage: Stretch | undefined;
  readonly parts: PartMarks[] = [];
  dropped: Stretch | undefined;

  constructor(ord: number, off: number, bytes: number) {
    this.ord = ord;
    this.off = off;
    this.bytes = bytes;
  }
}

export class PartMarks {
  readonly k: Stretch;
  text: Stretch | undefined;
  data: Stretch | undefined;
  /** Something of ASCII in it is spelled as an escape that could stand for itself. */
  dataEscapesAscii = false;
  id: Stretch | undefined;
  name: Stretch | undefined;
  failed: boolean | undefined;
  state: Stretch | undefined;
  bytes = 0;

  constructor(k: Stretch) {
    this.k = k;
  }
}
