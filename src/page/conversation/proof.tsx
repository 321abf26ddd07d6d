/** What the conversation is proved by: its rounds, each with its link, and every landed file with its digest. */
import type { EvidenceFile, Round } from '../../format/view-document.js';
import { type MissingRounds, missingRounds } from '../model/doubt.js';
import { countText, sizeText } from '../model/quantity-text.js';
import { CopyButton } from '../shared/copy-button.js';
import { type Column, Table } from '../shared/table.js';
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
      <Table columns={ROUNDS} rows={rounds} keyOf={({ round }, i) => `${i}:${round}`}>
        {missingRounds(outline.value.document).map((missing) => (
          <MissingRow key={missing.from} missing={missing} />
        ))}
      </Table>
      <h2>Files</h2>
      <Table columns={FILES} rows={files} keyOf={({ file }, i) => `${i}:${file}`} />
    </div>
  );
}

const ROUNDS: readonly Column<Round>[] = [
  { head: 'round', class: 'number', cell: ({ round }) => round },
  {
    head: 'verified',
    cell: ({ verified }) =>
      verified === true ? (
        <span class="badge good">verified</span>
      ) : (
        <span class="badge bad">not verified</span>
      ),
  },
  { head: 'digest', cell: ({ digest }) => <Digest of={digest} /> },
  { head: 'previous', cell: ({ previous }) => <Digest of={previous ?? null} /> },
  {
    head: 'landed files',
    class: 'number',
    cell: ({ from_seq, through_seq }) => `${from_seq}–${through_seq}`,
  },
  { head: 'input digest', cell: ({ input_digest: digest }) => <Digest of={digest ?? null} /> },
  { head: 'from', cell: ({ from_time: at }) => <Time at={at ?? 0} /> },
  { head: 'through', cell: ({ through_time: at }) => <Time at={at ?? 0} /> },
];

function MissingRow({ missing: { from, through } }: { readonly missing: MissingRounds }) {
  return (
    <tr>
      <td class="number">{from === through ? from : `${from}–${through}`}</td>
      <td>
        <span class="badge bad">not there</span>
      </td>
      <td colSpan={ROUNDS.length - 2} class="doubt">
        {from === through ? 'This round is' : 'These rounds are'} gone, or cannot be read: the problems say
        which.
      </td>
    </tr>
  );
}

const FILES: readonly Column<EvidenceFile>[] = [
  {
    head: 'file',
    cell: ({ file, seq }) => (
      <>
        <code class="file-path">{file}</code>{' '}
        {seq === null || seq === undefined ? null : <FileDoubt seq={seq} />}
      </>
    ),
  },
  { head: 'kind', cell: ({ kind }) => kind },
  { head: 'lines', class: 'number', cell: ({ lines }) => countText(lines) },
  {
    head: 'size',
    class: 'number',
    cell: ({ bytes }) => <span title={`${countText(bytes)} bytes`}>{sizeText(bytes)}</span>,
  },
  { head: 'SHA-256', cell: ({ digest }) => <Digest of={digest} /> },
  { head: 'from', cell: ({ from_time: at }) => <Time at={at ?? 0} /> },
  { head: 'through', cell: ({ through_time: at }) => <Time at={at ?? 0} /> },
];
