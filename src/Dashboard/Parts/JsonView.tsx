import { useState } from "react"
import { CopyButton } from "./CopyButton.tsx"
import { SearchField } from "./Filters.tsx"
import { defaultDepth, Json, JsonMatches } from "./Json.tsx"

export const JsonView = ({ name, value }: { readonly name: string; readonly value: unknown }) => {
  const [words, setWords] = useState("")
  const [wrap, setWrap] = useState(true)
  const [openDepth, setOpenDepth] = useState(defaultDepth)
  const isFolded = openDepth === 1
  return (
    <div className="stack">
      <div className="filters">
        <SearchField label={`Search the ${name}`} value={words} onChange={setWords} />
        <button
          type="button"
          className="quiet"
          onClick={() => setOpenDepth(isFolded ? Number.POSITIVE_INFINITY : 1)}
        >
          {isFolded ? "Unfold all" : "Fold all"}
        </button>
        <button type="button" className="quiet" aria-pressed={wrap} onClick={() => setWrap(!wrap)}>Wrap lines</button>
        <CopyButton text={JSON.stringify(value, null, 2)} what={`the ${name}`} />
      </div>
      {words === ""
        ? <Json key={openDepth} value={value} openDepth={openDepth} wrap={wrap} />
        : <JsonMatches value={value} words={words} />}
    </div>
  )
}
