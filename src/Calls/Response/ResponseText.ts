const field = ",\"data\":"

export const beforeData = (response: string): string => `${response.slice(0, -1)}${field}`

export const afterData = "}"

export const appendData = (response: string, data: string): string => `${beforeData(response)}${data}${afterData}`

export const withoutData = (response: string, data: string): string =>
  `${response.slice(0, -(field.length + data.length + 1))}}`

/** `undefined` if the response was truncated. */
export const dataOf = (response: string): string | undefined => {
  // No text before `data` comes from a caller or provider, so the first match is the field.
  const start = response.indexOf(field)
  return start < 0 ? undefined : response.slice(start + field.length, -1)
}

export const withEarlierData = (response: string | null, earlier: string | null | undefined): string | null => {
  const data = dataOf(earlier ?? "")
  return response === null || data === undefined ? response : appendData(response, data)
}
