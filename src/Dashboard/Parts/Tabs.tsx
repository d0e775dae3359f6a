import { Tabs as Base } from "@base-ui/react/tabs"
import type { ReactNode } from "react"

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
}) => (
  <Base.Root value={selected} onValueChange={onChange}>
    <Base.List className="tabs" aria-label={label} activateOnFocus>
      {tabs.map(({ id, title }) => <Base.Tab key={id} value={id}>{title}</Base.Tab>)}
    </Base.List>
    <Base.Panel value={selected} tabIndex={-1}>{children}</Base.Panel>
  </Base.Root>
)
