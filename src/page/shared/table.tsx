/** A table whose columns are data: what stands at the head, and what of a row stands below. */
import type { ComponentChildren, HTMLAttributes } from 'preact';

export interface Column<R> {
  readonly head: string;
  readonly cell: (row: R) => ComponentChildren;
  /** Of the head and of every cell. */
  readonly class?: string;
  /** What the head says to those who point at it. */
  readonly hint?: string;
  /** Its cells name their rows. */
  readonly names?: boolean;
  /** Stands before a cell where there is no room for heads. */
  readonly label?: string;
}

type RowAttributes = HTMLAttributes<HTMLTableRowElement>;

interface TableProps<R> {
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R, index: number) => string;
  readonly rowAttributes?: (row: R) => RowAttributes;
  readonly caption?: string;
  readonly class?: string;
  /** Rows of another shape, behind the others. */
  readonly children?: ComponentChildren;
}

export function Table<R>(props: TableProps<R>) {
  const { columns, rows, keyOf, rowAttributes = () => ({}), caption, children } = props;
  return (
    <table class={props.class}>
      {caption === undefined ? null : <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ head, hint, class: name }) => (
            <th scope="col" key={head} title={hint} class={name}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={keyOf(row, i)} {...rowAttributes(row)}>
            {columns.map(({ head, cell, class: name, names, label }) =>
              names === true ? (
                <th scope="row" key={head} class={name}>
                  {cell(row)}
                </th>
              ) : (
                <td key={head} class={name} data-label={label}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
        {children}
      </tbody>
    </table>
  );
}
