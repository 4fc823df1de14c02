export {};
//# sourceMappingURL=loss.js.map