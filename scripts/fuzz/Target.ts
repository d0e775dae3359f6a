import { AssertionError } from "node:assert"

/** A parser with what holds for it on any input. */
export interface Target {
  /** Inputs to begin with. Those that once failed are among them. */
  readonly seeds: ReadonlyArray<string | Uint8Array>
  /** Whether `run` returns a promise. */
  readonly isAsync?: true
  /** Throws when something does not hold. */
  readonly run: (input: Buffer) => void | Promise<void>
}

/** `undefined` for what is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isJson = (text: string): boolean => parseJson(text) !== undefined

export const expect = (holds: boolean, message: string): void => {
  if (!holds) throw new AssertionError({ message })
}

/** The parts of an input, which NUL separates. */
export const partsOf = (input: Buffer): ReadonlyArray<string> => input.toString().split("\0")
