import { useMemo } from "react"
import { DataTable } from "../../../Dashboard/Data/DataTable.tsx"
import { SaveCsv } from "../../../Dashboard/Data/SaveCsv.tsx"
import { Empty } from "../../../Dashboard/Parts/Empty.tsx"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { number } from "../../../Dashboard/Parts/Numbers.ts"
import { Panel } from "../../../Dashboard/Parts/Panel.tsx"
import type { DatasetDay } from "../Declared.ts"
import { dayName } from "./DatasetWords.ts"
import { useDayTable } from "./Queries.ts"

const maxShown = 100

/** The first rows of a day. The CSV has all of them. */
export const DayRows = ({ day: { day, rows }, id }: { readonly id: string; readonly day: DatasetDay }) => {
  const { data, error, isPlaceholderData } = useDayTable(id, day)
  const shown = useMemo(() => data && { ...data, rows: data.rows.slice(0, maxShown) }, [data])
  return (
    <Panel
      title={`Rows of ${dayName(day)}`}
      busy={data === undefined && error === null}
      isReloading={isPlaceholderData}
      beside={data !== undefined && <SaveCsv name={`${id}-${day}`} table={data} />}
    >
      {error && <ErrorNotice error={error} isRead />}
      {rows === 0 && <Empty>This day has no rows.</Empty>}
      {shown && rows > 0 && (
        <>
          <DataTable key={shown.columns.map(({ name }) => name).join()} label="Rows" table={shown} />
          {rows > maxShown && (
            <p className="meta">The first {maxShown} of {number.format(rows)}. The CSV has all of this day.</p>
          )}
        </>
      )}
    </Panel>
  )
}
