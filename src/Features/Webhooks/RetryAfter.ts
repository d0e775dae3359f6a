/** Reads the seconds or the HTTP date of a header `Retry-After` (RFC 9110, section 10.2.3), in milliseconds. */
export const retryAfterMillis = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  const millis = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return millis > 0 ? millis : undefined
}
