const sizes = [[86_400, "a day", "days"], [3600, "an hour", "hours"], [60, "a minute", "minutes"]] as const

/** Such as "a minute" or "5 minutes". */
export const windowWords = (seconds: number): string => {
  const [size, one, several] = sizes.find(([size]) => seconds % size === 0) ?? [1, "a second", "seconds"]
  return seconds === size ? one : `${seconds / size} ${several}`
}
