from depcodex_assets.languages.jvm_syntax import FileSyntax
def read_class(file): return FileSyntax(file,"jvm-class")
