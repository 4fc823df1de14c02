export {};
//# sourceMappingURL=usage.js.map