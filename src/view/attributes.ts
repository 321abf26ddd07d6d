/** A node's attributes: as values, and as the document shows them (view spec 2.7, 7.6). */
import { scanJson } from '../format/json-scan.js';
import type { Attributes } from '../format/session-flow.js';
import type { ViewNode } from './forest.js';
import { quoted } from './json-out.js';
import type { Withheld } from './withheld.js';

/** A node's attributes; none when they are no mapping. */
export function attributesOf({ entity }: ViewNode): Attributes {
  const text = entity.attributes;
  const value: unknown = text === '' ? undefined : JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Attributes) : {};
}

/** Attributes whose words are those of the record a node stands on. */
const OF_THE_RECORD = ['name', 'mcp_server', 'mcp_tool'];
/** The attribute of a call whose words are the label of what it launched. */
const LABEL = 'launched';

/**
 * Attributes as the round wrote them, without the words that are withheld. Empty when there are none. What each of the
 * node's records says has been seen.
 */
export function shownAttributes(node: ViewNode, withheld: Withheld): string {
  const json = node.entity.attributes;
  if (json === '' || withheld.names.size === 0) return json;
  const attributes = attributesOf(node);
  const keys = Object.keys(attributes);
  const isShown = (key: string) =>
    key === LABEL ? !withheld.hidesLabel(attributes[key]) : !(node.isWithheld && OF_THE_RECORD.includes(key));
  const shown = keys.filter(isShown);
  if (shown.length === keys.length) return json;
  const { members } = scanJson(json, { members: new Map(shown.map((key) => [key, {}])) });
  const texts = shown.map((key) => {
    const { start, end } = members.get(key)!;
    return `${quoted(key)}:${json.slice(start, end)}`;
  });
  return texts.length === 0 ? '' : `{${texts.join(',')}}`;
}
