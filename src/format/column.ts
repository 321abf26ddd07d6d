/**
 * A column of whole numbers in few bytes: elements as narrow as its values allow, and only the places that hold
 * something when most hold nothing. Seven of ten columns of an index are almost empty, and every byte that is not
 * there is neither read nor checked.
 *
 *     0 0 7 0 0 0 0 0 300 0    as it is held       u16, one element per row
 *     2 8 | 7 300              as it is stored     places u32, then their values
 */

/** How a column is held. A reader takes elements and their number; how wide they are is the column's own matter. */
export type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** The types of elements, narrowest first. Whole numbers past 32 bit, and those below 0, are floats of 64 bit. */
const TYPES = [Uint8Array, Uint16Array, Uint32Array, Float64Array] as const;
export type ColumnType = (typeof TYPES)[number];

/** The type whose elements have a number of bytes; `undefined` when there is none. */
export function typeOfWidth(bytes: number): ColumnType | undefined {
  return TYPES.find(({ BYTES_PER_ELEMENT }) => BYTES_PER_ELEMENT === bytes);
}

/** A column as it is stored. Without `places` there is a value for every row. */
export interface StoredColumn {
  readonly places?: Uint32Array;
  readonly values: Column;
}

/** A column in the form with the fewest bytes. */
export function storedColumn(column: Column): StoredColumn {
  let filled = 0;
  let greatest = 0;
  let isFloat = false;
  for (let place = 0; place < column.length; place++) {
    const value = column[place]!;
    if (value === 0) continue;
    filled++;
    if (value > greatest) greatest = value;
    if (value < 0) isFloat = true;
  }
  const Type = isFloat ? Float64Array : TYPES.find((type) => greatest < 2 ** (type.BYTES_PER_ELEMENT * 8))!;
  const sparseBytes = filled * (Uint32Array.BYTES_PER_ELEMENT + Type.BYTES_PER_ELEMENT);
  if (sparseBytes >= column.length * Type.BYTES_PER_ELEMENT) return { values: new Type(column) };
  const [places, values] = [new Uint32Array(filled), new Type(filled)];
  let at = 0;
  for (let place = 0; place < column.length; place++) {
    if (column[place] === 0) continue;
    places[at] = place;
    values[at++] = column[place]!;
  }
  return { places, values };
}

/** The column of `length` rows that was stored: the values themselves where every row has one. */
export function heldColumn({ places, values }: StoredColumn, length: number): Column {
  if (places === undefined) return values;
  const column = new (values.constructor as ColumnType)(length);
  for (let i = 0; i < places.length; i++) column[places[i]!] = values[i]!;
  return column;
}
