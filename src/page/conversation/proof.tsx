/** What the conversation is proved by: its rounds, each with its link, and every landed file with its digest. */
import type { EvidenceFile, Round } from '../../format/view-document.js';
import { type MissingRounds, missingRounds } from '../model/doubt.js';
import { countText, sizeText } from '../model/quantity-text.js';
import { CopyButton } from '../shared/copy-button.js';
import { Time } from '../shared/time.js';
import { FileDoubt } from './doubt.js';
import { outline } from './state.js';

const DIGITS = 12;

export function Digest({ of }: { readonly of: string | null }) {
  if (of === null) return <span class="muted">none</span>;
  return (
    <span class="digest">
      <code title={of}>{of.slice(0, DIGITS)}</code>
      <CopyButton text={() => of} label="Copy the digest" />
    </span>
  );
}

export function Proof() {
  const { rounds, files } = outline.value.document;
  return (
    <div class="panel-page">
      <h2>Rounds</h2>
      <p class="muted">
        Each round names the digest of the one before it and of the landed files it was built from;{' '}
        <em>verified</em> says that all of it was checked again when this page was made.
      </p>
      <table>
        <thead>
          <tr>
            <th>round</th>
            <th>verified</th>
            <th>digest</th>
            <th>previous</th>
            <th>landed files</th>
            <th>input digest</th>
            <th>from</th>
            <th>through</th>
          </tr>
        </thead>
        <tbody>
          {rounds.map((round, i) => (
            <RoundRow key={`${i}:${round.round}`} round={round} />
          ))}
          {missingRounds(outline.value.document).map((missing) => (
            <MissingRow key={missing.from} missing={missing} />
          ))}
        </tbody>
      </table>
      <h2>Files</h2>
      <table>
        <thead>
          <tr>
            <th>file</th>
            <th>kind</th>
            <th>lines</th>
            <th>size</th>
            <th>SHA-256</th>
            <th>from</th>
            <th>through</th>
          </tr>
        </thead>
        <tbody>
          {files.map((file, i) => (
            <FileRow key={`${i}:${file.file}`} file={file} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RoundRow({ round }: { readonly round: Round }) {
  return (
    <tr>
      <td class="number">{round.round}</td>
      <td>
        {round.verified === true ? (
          <span class="badge good">verified</span>
        ) : (
          <span class="badge bad">not verified</span>
        )}
      </td>
      <td>
        <Digest of={round.digest} />
      </td>
      <td>
        <Digest of={round.previous ?? null} />
      </td>
      <td class="number">
        {round.from_seq}–{round.through_seq}
      </td>
      <td>
        <Digest of={round.input_digest ?? null} />
      </td>
      <td>
        <Time at={round.from_time ?? 0} />
      </td>
      <td>
        <Time at={round.through_time ?? 0} />
      </td>
    </tr>
  );
}

function MissingRow({ missing: { from, through } }: { readonly missing: MissingRounds }) {
  return (
    <tr>
      <td class="number">{from === through ? from : `${from}–${through}`}</td>
      <td>
        <span class="badge bad">not there</span>
      </td>
      <td colSpan={6} class="doubt">
        {from === through ? 'This round is' : 'These rounds are'} gone, or cannot be read: the problems say
        which.
      </td>
    </tr>
  );
}

function FileRow({ file }: { readonly file: EvidenceFile }) {
  return (
    <tr>
      <td>
        <code class="file-path">{file.file}</code>{' '}
        {file.seq === null || file.seq === undefined ? null : <FileDoubt seq={file.seq} />}
      </td>
      <td>{file.kind}</td>
      <td class="number">{countText(file.lines)}</td>
      <td class="number" title={`${countText(file.bytes)} bytes`}>
        {sizeText(file.bytes)}
      </td>
      <td>
        <Digest of={file.digest} />
      </td>
      <td>
        <Time at={file.from_time ?? 0} />
      </td>
      <td>
        <Time at={file.through_time ?? 0} />
      </td>
    </tr>
  );
}
