import { type ReactNode, useState } from "react"
import { withEscapes } from "./HiddenCharacters.ts"

const maxEntries = 100

const redacted = "[redacted]"

const Text = ({ text }: { readonly text: string }) => (
  <span className="json-string">
    {withEscapes(JSON.stringify(text)).split(redacted).map((part, index) => (
      <span key={index}>
        {index > 0 && <span className="json-redacted">redacted</span>}
        {part}
      </span>
    ))}
  </span>
)

const Scalar = ({ value }: { readonly value: unknown }) => {
  if (value === redacted) return <span className="json-redacted">redacted</span>
  if (typeof value === "string") return <Text text={value} />
  return <span className="json-scalar">{String(value)}</span>
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null

interface EntryProps {
  readonly name: ReactNode
  readonly value: unknown
  readonly depth: number
  readonly openDepth: number
}

const Entry = ({ depth, name, openDepth, value }: EntryProps) => {
  const [shown, setShown] = useState(maxEntries)
  const [isOpen, setOpen] = useState(() =>
    depth < openDepth && (!isContainer(value) || Object.keys(value).length <= maxEntries || depth === 0)
  )
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
  const one = Array.isArray(value) ? "item" : "field"
  return (
    <details className="json-entry" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {name}
        {open} <span className="meta">{entries.length.toLocaleString()} {entries.length === 1 ? one : `${one}s`}</span>
        {" "}
        {close}
      </summary>
      <div className="json-children">
        {isOpen && entries.slice(0, shown).map(([key, child]) => (
          <Entry
            key={key}
            depth={depth + 1}
            openDepth={openDepth}
            name={<span className="json-key">{Array.isArray(value) ? key : withEscapes(JSON.stringify(key))}:</span>}
            value={child}
          />
        ))}
        {entries.length > shown && (
          <button type="button" onClick={() => setShown(shown + 10 * maxEntries)}>
            Show more of {entries.length.toLocaleString()} {one}s
          </button>
        )}
      </div>
    </details>
  )
}

export const defaultDepth = 3

export const Json = ({ openDepth = defaultDepth, value, wrap = true }: {
  readonly value: unknown
  readonly openDepth?: number
  readonly wrap?: boolean
}) => (
  <div className={wrap ? "json" : "json nowrap-lines"} tabIndex={0} role="region" aria-label="JSON">
    <Entry name="" value={value} depth={0} openDepth={openDepth} />
  </div>
)

interface Match {
  readonly path: string
  readonly value: unknown
}

const leavesOf = (value: unknown, path: string): ReadonlyArray<Match> =>
  isContainer(value)
    ? Object.entries(value).flatMap(([key, child]) => leavesOf(child, path === "" ? key : `${path}.${key}`))
    : [{ path, value }]

export const JsonMatches = ({ value, words }: { readonly value: unknown; readonly words: string }) => {
  const wanted = words.toLocaleLowerCase()
  const found = leavesOf(value, "").filter((leaf) =>
    `${leaf.path} ${String(leaf.value)}`.toLocaleLowerCase().includes(wanted)
  )
  return (
    <div className="json" tabIndex={0} role="region" aria-label="Matches">
      <p className="meta" aria-live="polite">{found.length.toLocaleString()} values match</p>
      {found.slice(0, maxEntries).map((leaf) => (
        <div key={leaf.path} className="json-entry">
          <span className="json-key">{leaf.path}:</span>
          <Scalar value={leaf.value} />
        </div>
      ))}
      {found.length > maxEntries && <p className="meta">The first {maxEntries} are shown.</p>}
    </div>
  )
}
