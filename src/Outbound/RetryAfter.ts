/** Milliseconds of a header `Retry-After` (RFC 9110, section 10.2.3). 0 for a time that has passed. */
export const retryAfterMillis = (value: string | undefined, now: number): number | undefined => {
  if (value === undefined) return undefined
  const millis = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(millis) ? undefined : Math.max(0, millis)
}
