/** The `asz.yaml` of a built root, so that the ordinary commands work on it (scenario spec 6). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CONFIG_FILE } from '../config/config.js';
import { SOURCE_FOLDER } from './write-claude-code.js';
import { ScenarioError } from './yaml-file.js';

/**
 * Writes the configuration and gives its path. What a person appended to an earlier one is kept. Throws
 * `ScenarioError` for a file that no build wrote.
 */
export function writeConfiguration(root: string, maxDeltaBytes?: number): string {
  const path = join(resolve(root), CONFIG_FILE);
  const text = configurationText(root, maxDeltaBytes);
  if (!existsSync(path)) writeFileSync(path, text);
  else if (!readFileSync(path, 'utf8').startsWith(text))
    throw new ScenarioError(`${path} exists and is not this build's; use another --out`);
  return path;
}

function configurationText(root: string, maxDeltaBytes: number | undefined): string {
  const folder = resolve(root);
  // JSON strings are YAML strings, and spell every path.
  const lines = [
    'storage:',
    `  root: ${JSON.stringify(folder)}`,
    'adapters:',
    '  - name: claude-code-local',
    '    enabled: true',
    `    source_root: ${JSON.stringify(join(folder, SOURCE_FOLDER))}`,
    '    collector:',
    '      mode: once',
    ...(maxDeltaBytes === undefined ? [] : [`      max_delta_bytes: ${maxDeltaBytes}`]),
    '# export:',
    '#   otlp:',
    '#     endpoint: http://127.0.0.1:4318',
  ];
  return `${lines.join('\n')}\n`;
}
