/**
 * Entity ids: readable, and made from evidence, never from position in a list.
 *
 *     talk/main/8d53…      run/talk_main_8d53…/8d53…      msg/12/4:0      rel/starts/tool_t1/stream_x
 *
 * An id joins its non-empty parts with `/`; a `/` inside a part becomes `_` (seeds, "Entities").
 */
export function joinId(...parts: readonly string[]): string {
  let id = '';
  for (const part of parts) {
    if (part === '') continue;
    const safe = part.includes('/') ? part.replaceAll('/', '_') : part;
    id = id === '' ? safe : `${id}/${safe}`;
  }
  return id;
}

/** An id made from a landed position: `<prefix>/<seq>/<row>`, with `:<block>` when a block is named. */
export function positionId(prefix: string, seq: number, row: number, block?: number): string {
  return block === undefined ? `${prefix}/${seq}/${row}` : `${prefix}/${seq}/${row}:${block}`;
}

/** `rel/<type>/<from>/<to>`: the two ids are one part each. */
export function relationId(type: string, from: string, to: string): string {
  return joinId('rel', type, from, to);
}
