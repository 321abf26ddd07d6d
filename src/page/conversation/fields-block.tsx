/** What a tool was asked, as fields; an edit's old and new text as one diff. */
import type { Field } from '../model/fields.js';
import { lineDiff } from '../model/line-diff.js';
import { DiffLines } from './diff-lines.js';
import { TextBlock } from './text-block.js';

interface FieldsBlockProps {
  readonly id: string;
  readonly fields: readonly Field[];
  /** Of the step: decides how much of each is shown at first. */
  readonly kind: string;
}

const [OLD, NEW] = ['old_string', 'new_string'];

export function FieldsBlock({ id, fields, kind }: FieldsBlockProps) {
  const old = fields.find(({ name, isText }) => name === OLD && isText);
  const now = fields.find(({ name, isText }) => name === NEW && isText);
  const isEdit = old !== undefined && now !== undefined;
  const plain = isEdit ? fields.filter((field) => field !== old && field !== now) : fields;
  return (
    <dl class="fields">
      {plain.map(({ name, value }, i) => (
        <div class="field" key={`${i}:${name}`}>
          <dt>{name}</dt>
          <dd>
            <TextBlock id={`${id}:${i}`} text={value} kind={kind} mono copied={name} />
          </dd>
        </div>
      ))}
      {isEdit ? (
        <div class="field">
          <dt>change</dt>
          <dd>
            <DiffLines id={id} lines={lineDiff(old.value, now.value)} />
          </dd>
        </div>
      ) : null}
    </dl>
  );
}
