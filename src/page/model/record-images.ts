/**
 * The pictures in a landed record, for being shown: what a browser draws without running anything, so never SVG. A
 * record is whatever an agent wrote; what is not exactly Base64 of a picture of its type is not one.
 */

export interface RecordImage {
  readonly type: string;
  /** Base64. */
  readonly data: string;
}

/** How the Base64 of each type begins: the first bytes of its files. */
const BEGINS: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGgo',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
  'image/webp': 'UklGR',
};

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const MAX_DEPTH = 32;
const MAX_IMAGES = 20;

/** Those of the record's media parts, and of blocks that a result holds as the agent wrote them, in their order. */
export function imagesOf(record: string): RecordImage[] {
  const images: RecordImage[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    const entry = value as Readonly<Record<string, unknown>>;
    const image = imageAs(entry.media ?? entry.media_type, entry.data);
    if (image !== undefined && images.length < MAX_IMAGES) images.push(image);
    for (const member of Object.values(value)) visit(member, depth + 1);
  };
  visit(parsed(record), 0);
  return images;
}

function imageAs(type: unknown, data: unknown): RecordImage | undefined {
  if (typeof type !== 'string' || typeof data !== 'string' || !Object.hasOwn(BEGINS, type)) return undefined;
  const isSound = data.startsWith(BEGINS[type]!) && data.length % 4 === 0 && BASE64.test(data);
  return isSound ? { type, data } : undefined;
}

/** What does not read as JSON is shown as text and holds no picture. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
