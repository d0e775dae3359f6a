import type { ComponentType } from "react"
import type { Area } from "./Areas.ts"

export interface Action extends Pick<Area, "path" | "title" | "admin"> {}

/** What a feature adds to the dashboard. A service without the feature does not show it. */
export interface FeaturePages {
  readonly feature: string
  readonly areas?: ReadonlyArray<Area>
  /** In the settings, for admins. */
  readonly tabs?: ReadonlyArray<{ readonly id: string; readonly title: string; readonly page: ComponentType }>
  /** What the palette offers besides. */
  readonly actions?: ReadonlyArray<Action>
  /** The last part of a path such as `/datasets/:id` is given to the page. */
  readonly routes?: ReadonlyArray<{ readonly path: string; readonly page: ComponentType<{ readonly id: string }> }>
}
