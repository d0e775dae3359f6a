import { Menu as Base } from "@base-ui/react/menu"
import { Ellipsis } from "lucide-react"
import { Link } from "wouter"
import { Icon } from "./Icon.tsx"

export interface Action {
  readonly title: string
  /** The accessible name, for people who do not see what the action is about. */
  readonly label?: string
  readonly href?: string
  readonly onSelect?: () => void
}

/** Actions behind one button. */
export const Menu = ({ actions, label }: { readonly label: string; readonly actions: ReadonlyArray<Action> }) => (
  <Base.Root>
    <Base.Trigger className="icon quiet" aria-label={label}>
      <Icon of={Ellipsis} />
    </Base.Trigger>
    <Base.Portal>
      <Base.Positioner className="floating" align="end" sideOffset={4}>
        <Base.Popup className="menu" aria-label={label} aria-labelledby={undefined}>
          {actions.map(({ href, label, onSelect, title }) =>
            href === undefined
              ? <Base.Item key={title} aria-label={label} onClick={onSelect}>{title}</Base.Item>
              : (
                <Base.LinkItem key={title} aria-label={label} closeOnClick render={<Link href={href} />}>
                  {title}
                </Base.LinkItem>
              )
          )}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)
