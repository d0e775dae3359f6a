/** Objects are those that `Number` turns into numbers, such as dates. */
type Value = string | number | boolean | object

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" })

const compare = (one: Value, other: Value): number =>
  typeof one === "string" || typeof other === "string"
    ? collator.compare(String(one), String(other))
    : Number(one) - Number(other)

/** Rows without a value come last. */
export const sortedBy = <Row extends object>(
  rows: ReadonlyArray<Row>,
  valueOf: (row: Row) => Value | null | undefined,
  descending: boolean
): ReadonlyArray<Row> =>
  rows
    .map((row) => ({ row, value: valueOf(row) ?? null }))
    .toSorted((one, other) => {
      if (one.value === null || other.value === null) return Number(one.value === null) - Number(other.value === null)
      return compare(one.value, other.value) * (descending ? -1 : 1)
    })
    .map(({ row }) => row)

/** The head of a column by which rows can be sorted. `direction` if they are. */
export const SortingHead = ({ className, direction, onToggle, title }: {
  readonly title: string
  readonly className: string | undefined
  readonly direction: "ascending" | "descending" | undefined
  readonly onToggle: () => void
}) => (
  <th scope="col" className={className} aria-sort={direction}>
    <button type="button" className="quiet sort" onClick={onToggle}>
      {title} <span aria-hidden="true">{direction && (direction === "descending" ? "↓" : "↑")}</span>
    </button>
  </th>
)
