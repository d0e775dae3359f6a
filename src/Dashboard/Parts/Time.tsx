const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" })

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60]
] as const

const describe = (seconds: number): string => {
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1] as const
  return unit === "second" ? (seconds > 0 ? "soon" : "just now") : relative.format(Math.trunc(seconds / size), unit)
}

export const Time = ({ at, never = "never" }: { readonly at: Date | null; readonly never?: string }) => {
  if (at === null) return <span className="muted">{never}</span>
  const words = describe((at.getTime() - Date.now()) / 1000)
  const exact = full.format(at)
  return <time dateTime={at.toISOString()} title={exact} aria-label={`${words}, ${exact}`}>{words}</time>
}
