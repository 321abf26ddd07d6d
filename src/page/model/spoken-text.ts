/** What a text says, apart from how it was landed. */
import { fieldsOf } from './fields.js';

/** A message typed while the agent worked is landed as data; this is what was typed. Other texts are as they are. */
export function spokenText(text: string): string {
  if (!/^\s*\{\s*"type"\s*:\s*"queued_command"/.test(text)) return text;
  const prompt = fieldsOf(text)?.find(({ name }) => name === 'prompt');
  return prompt?.isText === true ? prompt.value : text;
}

/** The first line that says something, cut at a number of characters. */
export function firstLine(text: string, most: number): string {
  const line = text
    .slice(0, 4 * most)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line;
}
