const field = ",\"data\":"

/** What is answered to a call that went well, a `CallResponse` as JSON text: its data comes last. */
export const withData = (response: string, data: string): string => `${response.slice(0, -1)}${field}${data}}`

/** The response as it was before `withData`. */
export const withoutData = (response: string, data: string): string =>
  `${response.slice(0, -(field.length + data.length + 1))}}`

/** The data that a response has, which may be redacted by now; a truncated one has none. */
export const dataIn = (response: string): string | undefined => {
  // Nothing before it is of anybody's choosing, so that the first one is it.
  const start = response.indexOf(field)
  return start < 0 ? undefined : response.slice(start + field.length, -1)
}
