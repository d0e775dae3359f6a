import { type KeyboardEvent, type ReactNode, useEffect, useId } from "react"

interface Tab<Id extends string> {
  readonly id: Id
  readonly title: string
}

export const Tabs = <Id extends string>({ children, label, onChange, selected, tabs }: {
  readonly label: string
  readonly tabs: ReadonlyArray<Tab<Id>>
  readonly selected: Id
  readonly onChange: (id: Id) => void
  readonly children: ReactNode
}) => {
  const prefix = useId()
  // On a narrow screen, the list scrolls.
  useEffect(() => {
    const tab = document.getElementById(`${prefix}${selected}`)
    if (!tab?.parentElement) return
    const [own, list] = [tab.getBoundingClientRect(), tab.parentElement.getBoundingClientRect()]
    tab.parentElement.scrollLeft += Math.max(0, own.right - list.right) + Math.min(0, own.left - list.left)
  }, [prefix, selected])
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const next = tabs[(tabs.findIndex(({ id }) => id === selected) + step + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.id)
    document.getElementById(`${prefix}${next.id}`)?.focus()
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${prefix}${id}`}
            aria-selected={id === selected}
            aria-controls={`${prefix}panel`}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => onChange(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${prefix}panel`} aria-labelledby={`${prefix}${selected}`}>{children}</div>
    </>
  )
}
