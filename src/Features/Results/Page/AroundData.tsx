import { useDeferredValue, useState } from "react"
import type { AroundDataProps } from "../../../Dashboard/Frame/FeaturePages.ts"
import { TextField } from "../../../Dashboard/Parts/Field.tsx"
import { AskWithSql } from "./AskWithSql.tsx"
import { useSelected } from "./Expression.ts"

/** Selects a part of the data, and asks its table with SQL. */
export const AroundData = ({ children, data, isOwn, read }: AroundDataProps) => {
  const [expression, setExpression] = useState("")
  const selected = useSelected(data, useDeferredValue(expression))
  return (
    <>
      <TextField
        label="Select a part (JMESPath)"
        error={selected.error}
        placeholder="rows[?clicks > `100`]"
        autoComplete="off"
        spellCheck={false}
        className="mono"
        value={expression}
        onChange={setExpression}
      />
      {children(selected.data)}
      {isOwn && <AskWithSql data={data} request={read} />}
    </>
  )
}
