// Nothing but depth is written.
void main() {}
