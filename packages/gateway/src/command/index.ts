/** What the commands `rolecall gateway` and `rolecall launch` do: they read arguments, files and the environment, and start programs. */

export { type LaunchOptions, launch } from "../launch/launch.ts";
export { type Recipe, type RecipeOptions, recipeFor, recipeNames } from "../launch/recipes.ts";
export { type CommandEnvironment, runGateway } from "./gateway.ts";
export { runLaunch } from "./launch.ts";
