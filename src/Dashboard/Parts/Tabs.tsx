import { Tabs as Base } from "@base-ui/react/tabs"
import { type ReactNode, useEffect, useRef } from "react"

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
  const list = useRef<HTMLDivElement>(null)
  // On a phone, the list is wider than the screen.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>("[aria-selected=true]")
    if (tab) list.current?.scrollTo({ left: tab.offsetLeft - tab.offsetWidth })
  }, [selected])
  return (
    <Base.Root value={selected} onValueChange={onChange}>
      <Base.List ref={list} className="tabs" aria-label={label} activateOnFocus>
        {tabs.map(({ id, title }) => <Base.Tab key={id} value={id}>{title}</Base.Tab>)}
      </Base.List>
      <Base.Panel value={selected} tabIndex={-1}>{children}</Base.Panel>
    </Base.Root>
  )
}
