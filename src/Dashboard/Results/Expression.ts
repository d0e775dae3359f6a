import type { JSONValue, search } from "@jmespath-community/jmespath"
import { useEffect, useState } from "react"

interface Library {
  readonly search: typeof search
}

export interface Selected {
  readonly data: unknown
  readonly error: string | undefined
}

const toJson = (data: unknown): JSONValue => JSON.parse(JSON.stringify(data ?? null))

const select = ({ search }: Library, expression: string, data: unknown): Selected => {
  try {
    return { data: search(toJson(data), expression), error: undefined }
  } catch (error) {
    return { data, error: error instanceof Error ? error.message : String(error) }
  }
}

/** What a JMESPath expression selects, as `select` of a call does. The library is loaded with the first expression. */
export const useSelected = (data: unknown, expression: string): Selected => {
  const [library, setLibrary] = useState<Library>()
  const isNeeded = expression.trim() !== ""
  useEffect(() => {
    if (isNeeded && !library) import("@jmespath-community/jmespath").then((loaded) => setLibrary(() => loaded))
  }, [isNeeded, library])
  return isNeeded && library ? select(library, expression, data) : { data, error: undefined }
}
