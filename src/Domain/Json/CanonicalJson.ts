export const canonicalJson = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  let fields = ""
  for (const name of Object.keys(value).toSorted()) {
    const field: unknown = Reflect.get(value, name)
    if (field !== undefined) fields += `${fields && ","}${JSON.stringify(name)}:${canonicalJson(field)}`
  }
  return `{${fields}}`
}
