/**
 * Whether a path can be sent and received: it stands in a line of `push.state` and is read back as it was (export
 * spec 9). A receiver that took others would hold files which nobody can send on.
 */
export function canTravel(path: string): boolean {
  return !/[\s\p{Cc}]/u.test(path) && path.isWellFormed();
}
