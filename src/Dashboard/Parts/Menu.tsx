import { type KeyboardEvent, useId, useRef } from "react"
import { Link } from "wouter"
import { Icon } from "./Icon.tsx"

export interface Action {
  readonly title: string
  /** For people who do not see what the action is about. */
  readonly label?: string
  readonly href?: string
  readonly onSelect?: () => void
}

const gap = 4

/** Below its button, or above where there is more room. */
const place = (menu: HTMLElement, button: HTMLElement) => {
  const { bottom, right, top } = button.getBoundingClientRect()
  const { height, width } = menu.getBoundingClientRect()
  const below = bottom + gap
  menu.style.top = `${below + height > innerHeight && top - gap - height > 0 ? top - gap - height : below}px`
  menu.style.left = `${Math.max(gap, right - width)}px`
}

/** Actions behind one button. The browser closes it on Escape and on a click elsewhere, and gives the focus back. */
export const Menu = ({ actions, label }: { readonly label: string; readonly actions: ReadonlyArray<Action> }) => {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const items = () => [...menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? []]
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const at = all.findIndex((item) => item === document.activeElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (event.key === "Tab") menu.current?.hidePopover()
    if (next === undefined) return
    event.preventDefault()
    all.at(next % all.length)?.focus()
  }
  const close = () => menu.current?.hidePopover()
  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon quiet"
        aria-label={label}
        aria-haspopup="menu"
        aria-controls={id}
        popoverTarget={id}
      >
        <Icon name="more" />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        className="menu"
        aria-label={label}
        onKeyDown={onKeyDown}
        onToggle={(event) => {
          if (event.newState !== "open" || !menu.current || !button.current) return
          place(menu.current, button.current)
          items()[0]?.focus()
        }}
      >
        {actions.map(({ href, label, onSelect, title }) =>
          href === undefined
            ? (
              <button
                key={title}
                type="button"
                role="menuitem"
                tabIndex={-1}
                aria-label={label}
                onClick={() => {
                  close()
                  onSelect?.()
                }}
              >
                {title}
              </button>
            )
            : (
              <Link key={title} role="menuitem" tabIndex={-1} aria-label={label} href={href} onClick={close}>
                {title}
              </Link>
            )
        )}
      </div>
    </>
  )
}
