const field = ",\"data\":"

/** Adds `data`, as JSON text, to a response that is a JSON object. It becomes the last field. */
export const appendData = (response: string, data: string): string => `${response.slice(0, -1)}${field}${data}}`

/** Removes what `appendData` added. */
export const withoutData = (response: string, data: string): string =>
  `${response.slice(0, -(field.length + data.length + 1))}}`

/** Returns the `data` of a response made with `appendData`; `undefined` where it was truncated. */
export const dataOf = (response: string): string | undefined => {
  // No text before `data` comes from a caller or provider, so the first match is the field.
  const start = response.indexOf(field)
  return start < 0 ? undefined : response.slice(start + field.length, -1)
}
