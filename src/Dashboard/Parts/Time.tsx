import type { Column } from "./Table.tsx"

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" })

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60]
] as const

const describe = (seconds: number): string => {
  // A thing that was just made to last a day ends "in 1 day", not "in 23 hours".
  const [unit, size] = units.find(([, size]) => (seconds > 0 ? seconds + 60 : -seconds) >= size) ??
    ["second", 1] as const
  if (unit === "second") return seconds > 0 ? "soon" : "just now"
  return relative.format(seconds > 0 ? Math.round(seconds / size) : Math.trunc(seconds / size), unit)
}

export const Time = ({ at, never = "never" }: { readonly at: Date | null; readonly never?: string }) => {
  if (at === null) return <span className="muted">{never}</span>
  const words = describe((at.getTime() - Date.now()) / 1000)
  const exact = full.format(at)
  return <time dateTime={at.toISOString()} title={exact} aria-label={`${words}, ${exact}`}>{words}</time>
}

/** Such as "last used 2 minutes ago". */
export const LastUsed = ({ at }: { readonly at: Date | null }) =>
  at === null ? "never used" : (
    <>
      last used <Time at={at} />
    </>
  )

export const timeColumn = <Row extends object>(
  title: string,
  at: (row: Row) => Date | null,
  { never, ...more }: Pick<Column<Row>, "minor" | "spare"> & { readonly never?: string } = {}
): Column<Row> => ({
  title,
  ...more,
  sortBy: at,
  cell: (row) => <Time at={at(row)} {...never !== undefined && { never }} />
})
