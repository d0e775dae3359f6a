import { useState } from "react"
import { SearchField } from "../../Parts/Filters.tsx"
import { matches } from "../../Parts/Matches.ts"
import { Provider } from "../../Parts/Provider.tsx"
import type { Operation } from "./Operations.ts"

export const OperationList = ({ onSelect, operations, selected }: {
  readonly operations: ReadonlyArray<Operation> | undefined
  readonly selected: string | undefined
  readonly onSelect: (operation: Operation) => void
}) => {
  const [search, setSearch] = useState("")
  const shown = operations?.filter(({ description, name, provider }) => matches(search, [name, provider, description]))
  const groups = Object.entries(Object.groupBy(shown ?? [], ({ provider }) => provider))
  return (
    <section className="panel" aria-label="Operations">
      <div className="panel-head">
        <SearchField
          label={operations ? `Search ${operations.length} operations` : "Search operations"}
          value={search}
          onChange={setSearch}
        />
      </div>
      <div className="operations">
        {groups.map(([provider, members = []]) => (
          <div key={provider}>
            <h3 className="meta">
              <Provider id={provider} />
            </h3>
            <ul>
              {members.map((operation) => (
                <li key={operation.key}>
                  <button
                    type="button"
                    className="quiet"
                    aria-pressed={operation.key === selected}
                    onClick={() => onSelect(operation)}
                  >
                    <span className="mono">{operation.name}</span>
                    {operation.writes && <span className="meta">writes</span>}
                  </button>
                </li>
              ))}
            </ul>
          </div>
        ))}
        {shown?.length === 0 && <p className="muted">No operation matches.</p>}
      </div>
    </section>
  )
}
