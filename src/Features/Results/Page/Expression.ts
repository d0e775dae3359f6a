import { useEffect, useState } from "react"

type Select = (expression: string, data: unknown) => unknown

export interface Selected {
  readonly data: unknown
  readonly error: string | undefined
}

const toJson = (data: unknown): unknown => JSON.parse(JSON.stringify(data ?? null))

const run = (select: Select, expression: string, data: unknown): Selected => {
  try {
    return { data: toJson(select(expression, toJson(data))), error: undefined }
  } catch (error) {
    return { data, error: error instanceof Error ? error.message : String(error) }
  }
}

/** What a JMESPath expression selects, as `select` of a call does. The code is loaded with the first expression. */
export const useSelected = (data: unknown, expression: string): Selected => {
  const [select, setSelect] = useState<Select>()
  const isNeeded = expression.trim() !== ""
  useEffect(() => {
    if (isNeeded && !select) import("../Select/Select.ts").then((loaded) => setSelect(() => loaded.select))
  }, [isNeeded, select])
  return isNeeded && select ? run(select, expression, data) : { data, error: undefined }
}
