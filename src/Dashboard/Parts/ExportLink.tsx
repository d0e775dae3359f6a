interface Props {
  readonly path: string
  readonly filter: Readonly<Record<string, string | boolean | Date | undefined>>
}

/** Downloads everything that the filter selects. */
export const ExportLink = ({ filter, path }: Props) => {
  const query = new URLSearchParams({ format: "csv" })
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) query.set(name, value instanceof Date ? value.toISOString() : String(value))
  }
  return <a className="button" href={`${path}?${query}`} download>Export as CSV</a>
}
