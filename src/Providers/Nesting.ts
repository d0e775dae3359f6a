/** Levels that JSON may nest; it is taken apart by functions that call themselves, and the stack has an end. */
export const deepest = 200

export const isNestedTooDeeply = (json: unknown): boolean => isDeeperThan(json, deepest)

const isDeeperThan = (json: unknown, levels: number): boolean =>
  typeof json === "object" && json !== null &&
  (levels === 0 || Object.values(json).some((value) => isDeeperThan(value, levels - 1)))
