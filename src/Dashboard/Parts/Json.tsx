import { type ReactNode, useState } from "react"

/** Entries of an array or object that are shown at first. */
const maxEntries = 100

const Scalar = ({ value }: { readonly value: unknown }) => {
  if (value === "[redacted]") return <span className="json-redacted">redacted</span>
  if (typeof value === "string") return <span className="json-string">{JSON.stringify(value)}</span>
  return <span className="json-scalar">{String(value)}</span>
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null

const Entry = (
  { depth, name, value }: { readonly name: ReactNode; readonly value: unknown; readonly depth: number }
) => {
  const [shown, setShown] = useState(maxEntries)
  if (!isContainer(value)) {
    return (
      <div className="json-entry">
        {name}
        <Scalar value={value} />
      </div>
    )
  }
  const entries = Object.entries(value)
  const [open, close] = Array.isArray(value) ? "[]" : "{}"
  if (entries.length === 0) return <div className="json-entry">{name}{open}{close}</div>
  const unit = Array.isArray(value) ? "items" : "fields"
  return (
    <details className="json-entry" open={depth < 3 && entries.length <= maxEntries || depth === 0}>
      <summary>
        {name}
        {open} <span className="meta">{entries.length} {unit}</span> {close}
      </summary>
      <div className="json-children">
        {entries.slice(0, shown).map(([key, child]) => (
          <Entry
            key={key}
            depth={depth + 1}
            name={<span className="json-key">{Array.isArray(value) ? key : JSON.stringify(key)}:</span>}
            value={child}
          />
        ))}
        {entries.length > shown && (
          <button type="button" onClick={() => setShown(shown + 10 * maxEntries)}>
            Show more of {entries.length.toLocaleString()} {unit}
          </button>
        )}
      </div>
    </details>
  )
}

/** JSON with folding. Redacted values look different from text. */
export const Json = ({ value }: { readonly value: unknown }) => (
  <div className="json" tabIndex={0} role="region" aria-label="JSON">
    <Entry name="" value={value} depth={0} />
  </div>
)

/** The lines of formatted JSON that contain the words, with their numbers. */
export const JsonMatches = ({ value, words }: { readonly value: unknown; readonly words: string }) => {
  const wanted = words.toLocaleLowerCase()
  const lines = JSON.stringify(value, null, 2)
    .split("\n")
    .map((text, index) => ({ text, number: index + 1 }))
    .filter(({ text }) => text.toLocaleLowerCase().includes(wanted))
  return (
    <div className="json" tabIndex={0} role="region" aria-label="Matching lines">
      <p className="meta" aria-live="polite">{lines.length.toLocaleString()} lines match</p>
      {lines.slice(0, maxEntries).map(({ number, text }) => (
        <div key={number} className="json-entry">
          <span className="meta">{number}</span>
          {text.trim()}
        </div>
      ))}
    </div>
  )
}
