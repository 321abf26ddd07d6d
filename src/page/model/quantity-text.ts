/** Numbers in words. */

const GROUPED = new Intl.NumberFormat('en-US');

/** `12,345`. */
export function countText(count: number): string {
  return GROUPED.format(count);
}

/** `1 talk`, `12 talks`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** `812 bytes`, `3.4 kB`, `12 MB`: powers of a thousand. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, 'byte');
  let size = bytes;
  for (const unit of ['kB', 'MB', 'GB']) {
    size /= 1000;
    if (size < 1000 || unit === 'GB')
      return `${size < 10 ? size.toFixed(1) : countText(Math.round(size))} ${unit}`;
  }
  return '';
}

/** `980`, `17.1k`, `1.25M`: a number at a glance. */
export function shortText(number: number): string {
  if (number < 1000) return String(number);
  return number < 1e6 ? `${(number / 1000).toFixed(1)}k` : `${(number / 1e6).toFixed(2)}M`;
}
